/** What `vexil/cdktf` and `vexil/cdktn` export: the constructs by their own names, and by the names of their folders. */

export * from './generated/index.ts'
export * from './generated/names.ts'
