using System.Net.Http.Headers;
using System.Text.Json;

// Arguments: address of the service, amount of the charge in minor units, and the key of a merchant for each client.
var (url, amount) = (args[0], long.Parse(args[1]));
(Func<HttpClient, string, long, Task<Seen>> Make, string Key)[] trades = [(NSwagTrade.Make, args[2]), (KiotaTrade.Make, args[3])];
foreach (var (make, key) in trades)
{
    using var http = new HttpClient();
    http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
    Console.WriteLine(JsonSerializer.Serialize(await make(http, url, amount)));
}
