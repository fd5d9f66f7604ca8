import { writeFileSync } from 'node:fs'
import { bundleLoginScript, LOGIN_SCRIPT_FILE } from './login-script.ts'

writeFileSync(LOGIN_SCRIPT_FILE, await bundleLoginScript())
process.stdout.write(`wrote ${LOGIN_SCRIPT_FILE}\n`)
