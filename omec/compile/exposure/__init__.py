"""How clients reach a service: Ingress, HTTPRoutes and the backend policies behind them (reference 10 §8)."""
