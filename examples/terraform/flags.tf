# A release in steps: who works here, then a part of two countries, then a few of everybody.
resource "vexil_feature_flag" "checkout" {
  key    = "checkout_v2"
  name   = "New checkout, one page instead of four"
  active = true
  tags   = ["checkout"]

  release = [
    {
      properties = [{ key = "email", operator = "icontains", value = "@example.com" }]
    },
    {
      properties         = [{ key = "country", values = ["DE", "AT"] }]
      rollout_percentage = 25
    },
    {
      rollout_percentage = 5
    },
  ]

  variants = [
    { key = "one_page", name = "Everything on one page", rollout_percentage = 50, payload = jsonencode({ steps = 1 }) },
    { key = "two_pages", name = "Address, then payment", rollout_percentage = 50, payload = jsonencode({ steps = 2 }) },
  ]
}

# The whole of `filters` as JSON, exactly as the service takes it. People in the product move the percentage.
resource "vexil_feature_flag" "recommendations" {
  key    = "recommendations"
  name   = "What others have bought"
  active = true
  tags   = ["growth"]

  filters = jsonencode({
    groups = [
      {
        properties = [
          { key = "plan", type = "person", operator = "exact", value = ["plus"] },
          { key = "age", type = "person", operator = "gt", value = "17" },
        ]
        rollout_percentage = 50
      },
    ]
    payloads = { true = jsonencode({ most = 4 }) }
  })

  lifecycle {
    ignore_changes = [filters]
  }
}

variable "shares" {
  description = "How many people get what is simply given to a share of everybody, in percent."
  type        = map(number)
  default = {
    fast_search  = 10
    gift_message = 50
    wish_list    = 100
  }

  validation {
    condition     = alltrue([for share in values(var.shares) : share >= 0 && share <= 100])
    error_message = "A share goes from 0 to 100."
  }
}

resource "vexil_feature_flag" "share" {
  for_each = var.shares

  key     = each.key
  name    = title(replace(each.key, "_", " "))
  active  = each.value > 0
  release = [{ rollout_percentage = each.value }]
}

# Support may turn the checkout off, and growth may change what it gives to people.
resource "vexil_feature_flag_role_access" "checkout" {
  for_each = local.roles

  feature_flag_id = vexil_feature_flag.checkout.id
  role_id         = each.value
}
