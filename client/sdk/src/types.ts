/** `@sealpost/sdk/types`: the types of all bodies and answers, without code. */
export type { ErrorDetailsByKey, ErrorKey } from './errors.generated.ts'
export type * from './shapes.generated.ts'
