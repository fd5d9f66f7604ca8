import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** What a page imports, and the most that this may weigh, minified and compressed. */
const PARTS = [
  { imports: 'PublicKey', from: '@sealpost/sdk/crypto', mostKiB: 12 },
  { imports: 'openPluginField', from: '@sealpost/sdk/forwarder', mostKiB: 20 },
  { imports: 'evaluateCondition, computeConstants, chooseNext', from: '@sealpost/sdk/flows', mostKiB: 30 },
  { imports: 'isSealpostError', from: '@sealpost/sdk', mostKiB: 2 },
  { imports: 'CustomerClient', from: '@sealpost/sdk', mostKiB: 130 },
] as const

export interface BrowserPart {
  readonly imports: string
  readonly from: string
  readonly kiB: number
  readonly mostKiB: number
}

/** Bundles a page for each part as users do, from the installed package. */
export async function measureParts(project: string): Promise<readonly BrowserPart[]> {
  const measured: BrowserPart[] = []
  for (const part of PARTS) {
    const entry = join(project, 'page.js')
    const [first = ''] = part.imports.split(',')
    writeFileSync(entry, `import { ${part.imports} } from '${part.from}'\nglobalThis.part = [${part.imports}]\n`)
    const built = await build({
      configFile: false,
      root: project,
      logLevel: 'error',
      build: { write: false, minify: true, lib: { entry, formats: ['es'], fileName: first } },
    })
    const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : 'output' in built ? built.output : []
    const code = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('')
    measured.push({ ...part, kiB: gzipSync(code).length / 1024 })
  }
  return measured
}
