import { join } from 'node:path'
import { addressOf, type Asset, readAsset } from '../../../platform/assets.ts'

const style = own('/docs/style.css', 'text/css; charset=utf-8', 'information.css')
export const icon = own('/docs/icon.svg', 'image/svg+xml', 'icon.svg')
/** For the bar of the API reference, which serves it itself. */
export const logo = own('/docs/logo.svg', 'image/svg+xml', 'logo.svg')

export const STYLE_URL = addressOf(style)
export const ICON_URL = addressOf(icon)

/** The files of the page about errors. */
export const assets: readonly Asset[] = [style, icon]

function own(path: string, mediaType: string, file: string): Asset {
  return readAsset(path, mediaType, join(import.meta.dirname, file))
}
