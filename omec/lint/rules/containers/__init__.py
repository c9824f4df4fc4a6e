"""Rules about the containers of runtimes and services: images, volumes, ports, probes, variables, resources."""
