import { runSuite } from './run-suite.ts'

// The page has no other script: a global is how the test reaches in.
Object.assign(globalThis, { runSuite })
