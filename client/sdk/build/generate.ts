import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderGeneratedFiles } from './render.ts'

for (const { path, text } of renderGeneratedFiles()) {
  writeFileSync(join(import.meta.dirname, '../../..', path), text)
  process.stdout.write(`wrote ${path}\n`)
}
