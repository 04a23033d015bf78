# terraform test: makes the whole stack in staging, looks at it, and takes it away again.

variables {
  environment = "staging"
}

run "plans_a_release_in_steps" {
  command = plan

  assert {
    condition     = output.checkout.max_percentage == 100 && !output.checkout.everyone
    error_message = "Only those who work here get the new checkout whoever they are."
  }

  assert {
    condition     = tolist(output.checkout.conditions[*].percentage) == tolist([100, 25, 5])
    error_message = "The steps are 100, 25 and 5 percent."
  }
}

run "makes_it" {
  assert {
    condition     = vexil_feature_flag.checkout.project_id == "2"
    error_message = "Staging is project 2."
  }

  assert {
    condition     = vexil_feature_flag.checkout.tags_all == toset(["checkout", "terraform"])
    error_message = "Every flag carries the default tags."
  }

  assert {
    condition     = length(vexil_feature_flag_role_access.checkout) == 2
    error_message = "Two roles may edit the checkout."
  }
}

run "refuses_a_share_over_the_whole" {
  command = plan

  variables {
    shares = { fast_search = 101 }
  }

  expect_failures = [var.shares]
}
