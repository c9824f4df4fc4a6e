"""What ome.io/v1beta1 objects look like: kinds, fields, defaults, and the grammars of their values."""
