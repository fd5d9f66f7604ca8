export { openUnder, resealUnder, type Sealed, SealingError, sealUnder } from './sealing.ts'
