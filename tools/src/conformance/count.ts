import { readFileSync } from 'node:fs'
import { countTests, parseResults } from './results.ts'

// `node count.ts <file>`: prints how many tests passed and failed in a file of vitest's JSON reporter, for scripts.
const { passed, failed } = countTests(parseResults(readFileSync(process.argv[2] ?? '.vitest/results.json', 'utf8')))
console.log(`${passed} ${failed}`)
