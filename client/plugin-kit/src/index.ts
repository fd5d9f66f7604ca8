export {
  type AdapterOptions,
  fastifyPlugin,
  type FastifyReply,
  type FastifyRequest,
  type FastifyScope,
  fetchHandler,
  nodeHandler,
  type NodeRequest,
  type NodeResponse,
} from './adapters.ts'
export { createPrivateKey } from './create-private-key.ts'
export {
  type AnyFieldType,
  type Asked,
  type Awaitable,
  type BlockDefinition,
  type BlockDefinitions,
  fieldType,
  type FieldTypeDefinition,
  type InputDefinition,
  type InputDefinitions,
  type ListedBlock,
  type Option,
  type OutputDefinition,
  type OutputDefinitions,
  picksInvalid,
  type SearchedBlock,
  type TypedBlock,
} from './definition.ts'
export { DefinitionError } from './definition-error.ts'
export type { KeyRollover } from './key-rollover.ts'
export {
  openPlugin,
  type Plugin,
  type PluginAnswer,
  type PluginOptions,
  type PluginRequest,
  type PublishedManifest,
} from './plugin.ts'
export { type KeyChange, rollOverKey } from './roll-over-key.ts'
