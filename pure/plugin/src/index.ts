export { type AnsweredType, type GivenBlocks, writeAnswer } from './answer.ts'
export { PLUGIN_LIMITS } from '@sealpost/kernel'
export {
  type Block,
  BLOCK_KINDS,
  type BlockKind,
  type FieldType,
  type Input,
  type Manifest,
  type Output,
  PLUGIN_KEY,
  VALUE_TYPES,
  type ValueType,
} from './manifest.ts'
export { parseFieldType, parseManifest } from './parse-manifest.ts'
export { type Filled, parseQuestion, type Question, writeQuestion } from './question.ts'
export type { Problem } from './reading.ts'
export {
  type OptionsReply,
  type OutputsReply,
  parseOptionsReply,
  parseOutputsReply,
  type PicksInvalid,
  type PluginOption,
  type Reply,
  writeReply,
} from './reply.ts'
export { isTypedValue, isValueOf, type PluginValue } from './values.ts'
