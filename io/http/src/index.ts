export type { Call, Gates, LimitState } from './gates.ts'
