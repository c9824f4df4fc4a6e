"""What scales components: HorizontalPodAutoscalers, ScaledObjects, AutoscalerPolicies (reference 10 §2 to §4)."""
