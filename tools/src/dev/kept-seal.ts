import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeSeal } from '@sealpost/pdf/testing'

/** Made at the first start, so that a PDF sealed yesterday is still valid today. */
export function keptSeal(folder: string): {
  readonly root: string
  readonly settings: { readonly SEAL_CERT: string; readonly SEAL_KEY: string }
} {
  const path = (name: string): string => join(folder, name)
  const [SEAL_CERT, SEAL_KEY, root] = [path('seal.pem'), path('seal.key'), path('root.pem')]
  if (!existsSync(SEAL_KEY)) {
    const made = makeSeal()
    mkdirSync(folder, { recursive: true })
    writeFileSync(root, made.root)
    writeFileSync(SEAL_CERT, made.certificate)
    writeFileSync(SEAL_KEY, made.key, { mode: 0o600 })
  }
  return { root, settings: { SEAL_CERT, SEAL_KEY } }
}
