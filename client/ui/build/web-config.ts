import { isBuiltin } from 'node:module'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { serviceWorker } from './service-worker.ts'

export interface WebApp {
  /** The folder with `index.html`. */
  readonly root: string
  /** The source of its service worker; none for an app that is used with a network only. */
  readonly serviceWorker?: string
  /** Files of the build that few pages need; see `serviceWorker`. */
  readonly isOnDemand?: RegExp
}

/** How every web app is built: nothing inline, so that it runs under the policy of `apps/web`. */
export function webConfig(app: WebApp): InlineConfig {
  return {
    configFile: false,
    root: app.root,
    logLevel: 'warn',
    plugins: [refuseNode, react(), ...keptFiles(app)],
    worker: { format: 'es', plugins: () => [refuseNode] },
    build: {
      target: 'es2024',
      // Older ones have no light-dark(), and a preview in the other theme would stay as it is.
      cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  }
}

function keptFiles(app: WebApp): readonly Plugin[] {
  const { serviceWorker: source, isOnDemand } = app
  return source === undefined ? [] : [serviceWorker(source, isOnDemand ?? null)]
}

/** Vite would replace a Node module with an empty one, and the page would fail in the browser. */
const refuseNode: Plugin = {
  name: 'refuse-node',
  enforce: 'pre',
  resolveId(source, importer) {
    if (isBuiltin(source)) throw new Error(`${importer} imports ${source}: it could not run in a browser`)
    return null
  },
}
