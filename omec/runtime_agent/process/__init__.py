"""What every role of the agent is as a process: logs, metrics, health endpoints, an orderly end."""
