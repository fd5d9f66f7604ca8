/** What a client of a run needs, without the checks of publishing and their catalog. */
export type * from '../definition/definition.ts'
export { parseDefinition } from '../definition/parse-definition.ts'
export { answerElements, type AnswerElement } from '../graph/flow-keys.ts'
export { chooseNext, type Choice } from './advance.ts'
export { pluginInputs, privacyView } from './privacy-view.ts'
export { connectionSources, heldSources, partyTags, type PartyTag } from './sources.ts'
export { describeTurn, type Turn } from './turn.ts'
export { checkAnswer, type TurnProblem, turnProblems } from './turn-problems.ts'
