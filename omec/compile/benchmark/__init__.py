"""BenchmarkJobs: the Job that runs genai-bench against a service."""
