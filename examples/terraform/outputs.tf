data "vexil_feature_flags" "all" {
}

data "vexil_events" "last_paid" {
  event = "checkout_paid"
  limit = 1
}

output "by_hand" {
  description = "The flags that nobody declares here."
  value       = [for flag in data.vexil_feature_flags.all.feature_flags : flag.key if !contains(flag.tags, "terraform")]
}

output "last_paid" {
  description = "When somebody last paid."
  value       = one(data.vexil_events.last_paid.events[*].timestamp)
}

output "checkout_id" {
  description = "By which id the service knows the new checkout."
  value       = vexil_feature_flag.checkout.id
}

output "checkout" {
  description = "Whom the new checkout reaches, worked out here and asked of nobody."
  value       = provider::vexil::rollout(provider::vexil::filters(vexil_feature_flag.checkout))
}

output "checkout_of_ada" {
  description = "What one person in Austria gets."
  value = provider::vexil::evaluate(
    vexil_feature_flag.checkout.key,
    provider::vexil::filters(vexil_feature_flag.checkout),
    "ada",
    jsonencode({ country = "AT", email = "ada@example.org" }),
  )
}

check "nothing_reaches_everybody_at_once" {
  assert {
    condition     = provider::vexil::rollout(provider::vexil::filters(vexil_feature_flag.recommendations)).max_percentage <= 50
    error_message = "More than half of the people get recommendations: is the shop ready for that?"
  }
}
