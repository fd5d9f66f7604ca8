import { join } from 'node:path'
import { addressOf, type Asset, readAsset } from '../../../platform/assets.ts'

const script = own('/oauth2/authorize.js', 'text/javascript; charset=utf-8', 'login-script.generated.js')
const style = own('/oauth2/authorize.css', 'text/css; charset=utf-8', 'page.css')

export const SCRIPT_URL = addressOf(script)
export const STYLE_URL = addressOf(style)

/** The files of the sign-in page. */
export const assets: readonly Asset[] = [script, style]

function own(path: string, mediaType: string, file: string): Asset {
  return readAsset(path, mediaType, join(import.meta.dirname, file))
}
