/** Parses `COMPANYCODE/SERVICECODE`; case and spaces do not matter. */
export function splitCode(code: string): { readonly companyCode: string; readonly serviceCode: string } {
  const [companyCode = '', serviceCode = '', ...more] = code.split('/').map((part) => part.trim().toUpperCase())
  if (companyCode !== '' && serviceCode !== '' && more.length === 0) return { companyCode, serviceCode }
  throw new TypeError('a service is addressed as COMPANYCODE/SERVICECODE')
}

/** The one spelling of a code, under which the key of the service is pinned. */
export function normalCode(code: string): string {
  const { companyCode, serviceCode } = splitCode(code)
  return `${companyCode}/${serviceCode}`
}
