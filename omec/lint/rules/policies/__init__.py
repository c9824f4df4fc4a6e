"""Rules whose content is a team's own: what ``[policy]`` of the configuration does not allow."""
