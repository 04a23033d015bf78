/** What `vexil/cdktf` and `vexil/cdktn` export: our constructs, and the generated ones by name and by folder. */

export * from './generated/index.ts'
export * from './generated/names.ts'
export * from './own-constructs.ts'
// Names that a generated construct has as well are ours; theirs are in the folders, as `plugin.Plugin`.
export {
  EventDefinition,
  type EventDefinitionProps,
  Plugin,
  type PluginProps,
} from './own-constructs.ts'
