import { existsSync } from 'node:fs'

const DEBIAN_PYTHON = '/usr/bin/python3'

/** The Python that has `cryptography`: `SEALPOST_PYTHON`, or the one that `npm run infra` installs. */
export function findPython(): string {
  const program = process.env['SEALPOST_PYTHON'] ?? DEBIAN_PYTHON
  if (!existsSync(program)) throw new Error(`there is no ${program}: run \`npm run infra\``)
  return program
}
