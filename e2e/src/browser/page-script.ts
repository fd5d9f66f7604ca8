import { runSuite } from './run-suite.ts'

// The test calls this global; the page has no other script.
Object.assign(globalThis, { runSuite })
