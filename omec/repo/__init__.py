"""From files to documents: source trees, YAML as kubectl reads and prints it, configuration."""
