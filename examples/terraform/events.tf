# The service makes an event's definition when it first sees one; here it gets its tags. What was there before comes
# back when this is destroyed.
resource "vexil_event_definition" "tagged" {
  for_each = {
    checkout_paid = ["payments", "revenue"]
    signed_up     = ["growth"]
  }

  name       = each.key
  tags       = each.value
  on_destroy = "restore"
}

# Plugins belong to the organization, so one environment takes care of them.
resource "vexil_plugin" "mask_card_numbers" {
  count = var.environment == "production" ? 1 : 0

  name        = "Mask card numbers"
  plugin_type = "source"
  description = "Replaces whatever looks like a card number before an event is kept."

  source = {
    for name in fileset("${path.module}/sources/mask-card-numbers", "*") :
    name => file("${path.module}/sources/mask-card-numbers/${name}")
  }
}
