"""Rules about how services are reached: names, Services, annotations of routes."""
