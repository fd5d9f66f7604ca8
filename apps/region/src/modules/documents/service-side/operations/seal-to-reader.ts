import { createCryptoPlatform, importSealingKey, sealWrapper } from '@sealpost/crypto'

const platform = createCryptoPlatform(globalThis)
const PDF = 'application/pdf'

/** The wrapper string for the owner of the key; null when the key cannot be used. */
export async function sealToReader(publicKey: string, text: string): Promise<string | null> {
  const key = await importSealingKey(platform, publicKey)
  const sealed = key.ok ? await sealWrapper(platform, key.value, text) : key
  return sealed.ok ? sealed.value : null
}

export function pdfEnvelope(name: string, pdf: Uint8Array): string {
  const file = `data:${PDF};base64,${Buffer.from(pdf).toString('base64')}`
  return JSON.stringify({ file, original_name: `${name}.pdf`, mime_type: PDF, size: pdf.length })
}
