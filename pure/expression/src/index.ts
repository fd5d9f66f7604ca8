export { type Answers, answersFrom, isAnswered, type Lookup } from './answers.ts'
export { boundRefuses } from './bounds.ts'
export { type CalendarDate, dateText, dayNumber, toDate } from './calendar.ts'
export { computeConstants, constantOrder, expressionsByKey } from './constants.ts'
export { type DependencyOrder, dependencyOrder } from './dependency-order.ts'
export { type DefaultedKind, type Draft, nextDraft } from './drafts.ts'
export { evaluateCondition } from './evaluate-condition.ts'
export { evaluateExpression, MAX_JOINED_LENGTH, MAX_TEXT_LENGTH } from './evaluate-expression.ts'
export { inferType, type TypeOf } from './infer-type.ts'
export { keysReadBy, keysReadByCondition, keysReadByExpression } from './keys-read.ts'
export { numberText, roundHalfAway, toNumber } from './numbers.ts'
export { type ConditionProblem, parseCondition } from './parse-condition.ts'
export { isKey, parseConstant, parseConstants } from './parse-constant.ts'
export { parseExpression, type ParseProblem } from './parse-expression.ts'
export { MAX_DEPTH, MAX_NODES } from './place.ts'
export { expandPluginAnswers } from './plugin-answers.ts'
export {
  convertInput,
  type InputRefusal,
  type InputSource,
  type PluginInput,
  readPluginInput,
  readPluginInputs,
} from './plugin-inputs.ts'
export { isPrivateKey, isSourcePrivate, type PrivacyView } from './privacy.ts'
export {
  printCondition,
  printExpression,
  type Condition,
  type ConditionGroup,
  type ConditionLeaf,
  type Constant,
  type Expression,
  type MathOp,
  type Scalar,
  type ValueType,
} from './syntax.ts'
export { type ExpressionProblem, formatPath, type Path, type ProblemReason } from './problem.ts'
export { formatValue } from './format-value.ts'
