import type { StartRunBody } from '../shapes.generated.ts'

/**
 * The customers of a new run. `targets` names a connection for each party of type person or company, `target` one for
 * all of them; `bindings` names the user of an untyped party. The own company needs no entry, unless its party is untyped.
 */
export type RunTargets = Pick<StartRunBody, 'target' | 'targets' | 'bindings'>
