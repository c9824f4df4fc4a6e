"""Rules about models: where their files are, and what is said about them."""
