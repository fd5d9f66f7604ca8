/** The only Trusted Types policy of a page: it accepts the addresses of the app's own scripts. */
interface ScriptAddresses {
  createScriptURL(url: string): string
}

interface TrustedTypesHost {
  readonly trustedTypes?: { createPolicy(name: string, rules: ScriptAddresses): ScriptAddresses }
}

const rules: ScriptAddresses = {
  createScriptURL(url) {
    const { origin, pathname } = new URL(url, location.href)
    const isOwn = pathname === '/sw.js' || pathname.startsWith('/assets/') || isInDevelopment(pathname)
    if (origin === location.origin && isOwn) return url
    throw new TypeError(`not a script of this app: ${url}`)
  },
}

/** Vite serves sources under their own paths. */
function isInDevelopment(pathname: string): boolean {
  return import.meta.env.DEV && /\.m?[jt]s$/.test(pathname)
}

function hostOf(scope: object): TrustedTypesHost {
  return scope
}

const policy = hostOf(globalThis).trustedTypes?.createPolicy('sealpost', rules) ?? rules

/** For `new Worker` and the registration of the service worker, which take no plain text. */
export function scriptUrl(url: string): string {
  return policy.createScriptURL(url)
}
