// @ts-check
/** Links for other people: they lead to this machine by an address that others reach. */

const HERE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * @param {string} path @param {string | null} address of this machine for others, null where it answers itself only
 * @returns {{link: string, note: string}} the link, and what it needs to work elsewhere
 */
export function invitation(path, address) {
  const url = new URL(path, location.href);
  if (!HERE.includes(url.hostname)) return { link: url.href, note: '' };
  if (address) {
    url.hostname = address;
    return { link: url.href, note: `Works for whoever reaches this machine at ${address}.` };
  }
  return { link: url.href, note: 'This link works on this machine only. For others, stop the server and start it with: dawn web --host 0.0.0.0' };
}
