/** The ways in which Terraform can let go of what it cannot create: left as it is, put back as it was, or deleted. */
export const destroyWays = ['forget', 'restore', 'delete'] as const
