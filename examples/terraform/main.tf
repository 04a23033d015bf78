# Where things live. The key comes from VEXIL_API_KEY or VEXIL_API_KEY_FILE and stands in no file.

terraform {
  required_version = ">= 1.8"

  required_providers {
    vexil = {
      source  = "vexil/vexil"
      version = "~> 0.1"
    }
  }
}

variable "environment" {
  description = "Which project of the service."
  type        = string
  default     = "production"

  validation {
    condition     = contains(keys(local.projects), var.environment)
    error_message = "There is production, and there is staging."
  }
}

locals {
  projects = {
    production = "1"
    staging    = "2"
  }

  roles = {
    support = "01900000-0000-0000-0000-0000000000aa"
    growth  = "01900000-0000-0000-0000-0000000000bb"
  }
}

# The address comes from VEXIL_BASE_URL, so that the same stack runs against a stand-in.
provider "vexil" {
  project_id      = local.projects[var.environment]
  organization_id = "01900000-0000-0000-0000-000000000001"
  default_tags    = ["terraform"]
}
