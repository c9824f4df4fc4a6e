"""One module per format that findings are printed in, each with a function ``render``."""
