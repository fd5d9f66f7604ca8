export type * from './definition/definition.ts'
export { DEFINITION_LIMITS } from './definition/limits.ts'
export { parseDefinition } from './definition/parse-definition.ts'
export { definitionToJson } from './definition/write-definition.ts'
export { comparePointers, type JsonPointer } from './definition/pointer.ts'
export type { DefinitionProblem } from './definition/reading.ts'
export { exportFlow, FORMAT_VERSION, importFlow, type ExportedAsset, type FlowExport } from './exchange/import-flow.ts'
export { availabilityOf, availableAt, type Availability } from './graph/availability.ts'
export { cyclesIn, type Dependencies } from './graph/cycles.ts'
export {
  answerElements,
  isAnswerElement,
  pluginKeyTypes,
  pluginSlugs,
  slugsOf,
  type AnswerElement,
} from './graph/flow-keys.ts'
export { edgesFrom, graphOf, reachableFrom, successors, type FlowGraph } from './graph/graph.ts'
export { checkForPublish, isPublishable } from './publish/check-for-publish.ts'
export { choosePlugin, type ChosenPlugin } from './publish/choose-plugin.ts'
export type { PluginFact, PluginFieldType, PublishFacts, RequestFieldFact } from './publish/facts.ts'
export { orderSnapshot, takeSnapshots } from './publish/snapshots.ts'
export { templateTagKey } from './publish/template-tags.ts'
export { checkAdvance, type Advance, type SaidAdvance, chooseNext, type Choice } from './run/advance.ts'
export { checkAnswer, type AnswerRefusal, turnProblems, type TurnProblem } from './run/turn-problems.ts'
export { chooseOutputs, primarySubtag, type ChosenOutput, type GenerationFacts } from './run/choose-outputs.ts'
export {
  partyTags,
  type PartyTag,
  connectionSources,
  heldSources,
  participantSources,
  sourceOf,
  type RuleSource,
} from './run/sources.ts'
export { participants, type Participant, type ParticipantDocument } from './run/participants.ts'
export {
  copyStatus,
  lineState,
  signersOf,
  signingLine,
  type CopyStatus,
  type LineState,
  type OutputSigner,
  type OutputSigners,
  type SigningAct,
  type SigningLine,
  type SigningStep,
} from './run/signing-line.ts'
export { pluginInputs, privacyView, type PrivacyFacts } from './run/privacy-view.ts'
export { describeTurn, type Bounds, type ShownConstant, type Turn, type TurnFacts } from './run/turn.ts'
export { tagTexts } from './run/tag-texts.ts'
export { runValues } from './run/values.ts'
