import { type ReactNode, useEffect, useState } from 'react'

/** A picture that exists on this device only. */
export function Picture({
  bytes,
  mimeType,
  about,
  className,
}: {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly mimeType: string
  readonly about: string
  readonly className?: string | undefined
}): ReactNode {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: mimeType }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, mimeType])
  return url === undefined ? null : <img className={className} src={url} alt={about} />
}
