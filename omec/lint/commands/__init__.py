"""The command lines of containers: what a shell makes of them, which server they start, and with which options."""
