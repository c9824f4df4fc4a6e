"""Models that live elsewhere: on the Hugging Face hub, or in an OCI registry. Only what describes them is fetched."""
