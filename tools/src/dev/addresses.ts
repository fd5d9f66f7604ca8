/** Where `npm run dev` listens. */
export const devAddresses = {
  frontDoor: { port: 8080, internalPort: 8081 },
  eu: { port: 8090, internalPort: 8091 },
  us: { port: 8190, internalPort: 8191 },
  forwarder: { port: 8290, internalPort: 8291 },
}

/** The web apps; by name, because passkeys and cookies are for a name. */
export const devSites = { person: 8070 }
