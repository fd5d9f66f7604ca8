export * from './values/attestation.ts'
export { isCalendarDate } from './values/calendar-date.ts'
export { applyCheck, type CheckName, checkNames } from './values/checks.ts'
export { countries } from './values/countries.ts'
export { isPdf } from './values/data-uri.ts'
export * from './registry/definition.ts'
export * from './values/normalise.ts'
export { checkOperatorRows } from './registry/operator-rows.ts'
export { compilePattern, type Pattern, type PatternReason } from './patterns/pattern.ts'
export * from './values/place-of-birth.ts'
export type { Problem } from './problem.ts'
export {
  buildRegistry,
  type InheritedColumns,
  readRegistry,
  type Registry,
  RESERVED_TYPE,
} from './registry/registry.ts'
export { type FieldEntry, type FieldTypeRow, type Lane, lanes, readRow, type RowProblem } from './registry/row.ts'
export { type RowReason, rowReasons } from './registry/row-reasons.ts'
export { seedRows } from './registry/seed.ts'
export { defaultFileCaps, type FileCaps, fileCapMb, sealedTextMax } from './values/sizes.ts'
export * from './registry/tree.ts'
export * from './registry/type-sets.ts'
export { usStates } from './values/us-states.ts'
export * from './values/validate.ts'
export { type ValueReason, valueReasons } from './values/value-reasons.ts'
export type { ValueProblem, Verdict } from './values/verdict.ts'
