const MULTI_HOST_URL = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]+)(.*)$/

/** `postgres://u@h1:1,h2:2/db` is `postgres://u@h1:1/db` and `postgres://u@h2:2/db`. */
export function splitHosts(url: string): readonly string[] {
  const [, before, hosts, after] = MULTI_HOST_URL.exec(url) ?? []
  if (before === undefined || hosts === undefined || after === undefined)
    throw new Error('a database URL looks like postgres://user:password@host1:5432,host2:5432/name')
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Host and port only, for messages: the URL holds a password. */
export function hostOf(url: string): string {
  return MULTI_HOST_URL.exec(url)?.[2] ?? 'unknown host'
}
