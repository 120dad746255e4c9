import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <main>
      <h1>Sickbay</h1>
      <p>The pages of the console are not made yet. With this browser&rsquo;s session you can read the HTTP API:</p>
      <ul>
        <li>
          <a href="/api/v1/remediations?state=attention">remediations that wait for a person</a>
        </li>
        <li>
          <a href="/api/v1/remediations">all remediations</a>
        </li>
        <li>
          <a href="/api/v1/summary">figures</a>
        </li>
        <li>
          <a href="/openapi.json">all there is</a>
        </li>
      </ul>
      <p>
        On the command line: <code>sickbay explain NAME</code>
      </p>
    </main>,
  );
