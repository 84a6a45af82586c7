/** A request of the editor. @param body of a POST; absent: a GET */
export async function askAdmin<T>(url: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const answer = await fetch(`${url}/payment-admin/${path}`, init);
  return { status: answer.status, body: (await answer.json()) as T };
}
