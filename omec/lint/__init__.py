"""Rules over documents, catalog and plans, and the formats that findings are printed in."""
