/** The exports of `vexil/cdktf` and `vexil/cdktn`: our constructs, and generated ones by name and folder. */

export * from './generated/index.ts'
export * from './generated/names.ts'
export * from './own-constructs.ts'
// If a generated construct has the same name, ours is exported; the other is in its folder: `plugin.Plugin`.
export {
  EventDefinition,
  type EventDefinitionProps,
  Plugin,
  type PluginProps,
} from './own-constructs.ts'
